"""A real RTSP server on this machine, for tests: one table's stream, behind a name and a password.

Usage: rtsp_server.py PORT PIPELINE, where the pipeline's payloader is called pay0. Port 0 takes a free one.
Prints the port when it listens.
"""
import sys

import gi

gi.require_version("Gst", "1.0")
gi.require_version("GstRtspServer", "1.0")
from gi.repository import GLib, Gst, GstRtspServer  # noqa: E402

Gst.init(None)
server = GstRtspServer.RTSPServer()
server.set_address("127.0.0.1")
server.set_service(sys.argv[1])

factory = GstRtspServer.RTSPMediaFactory()
factory.set_launch("( " + sys.argv[2] + " )")
factory.set_shared(True)
permissions = GstRtspServer.RTSPPermissions()
permissions.add_permission_for_role("camera", "media.factory.access", True)
permissions.add_permission_for_role("camera", "media.factory.construct", True)
factory.set_permissions(permissions)

token = GstRtspServer.RTSPToken()
token.set_string("media.factory.role", "camera")
auth = GstRtspServer.RTSPAuth()
auth.add_basic(GstRtspServer.RTSPAuth.make_basic("ann", "s3cret"), token)
server.set_auth(auth)

server.get_mount_points().add_factory("/table", factory)
if server.attach(None) == 0:
    sys.exit("the port is taken")
print(server.get_bound_port(), flush=True)
GLib.MainLoop().run()
