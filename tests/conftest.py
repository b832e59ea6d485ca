"""What holds for all tests: signals are heard, wherever the tests were started.

Whoever starts them behind `nohup` or with `&` hands down signals that are ignored, and with them every process that the
tests start would not hear Ctrl-C.
"""

import signal

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
if signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
