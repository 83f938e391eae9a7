include "playout.pyx"
