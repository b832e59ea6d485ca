"""What holds for all tests: signals are heard, wherever the tests were started, and examples are drawn alike in every run.

Whoever starts them behind `nohup` or with `&` hands down signals that are ignored, and with them every process that the
tests start would not hear Ctrl-C. A test that passed here passes elsewhere: Hypothesis draws its examples from the test itself;
`make trust` draws others each time (`--hypothesis-profile default`).
"""

import signal

from hypothesis import settings

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
if signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
    signal.signal(signal.SIGHUP, signal.SIG_DFL)

settings.register_profile("alike", derandomize=True)
settings.load_profile("alike")
