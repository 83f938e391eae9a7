include "search.pyx"
