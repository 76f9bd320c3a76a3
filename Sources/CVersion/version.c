#include "CVersion.h"

const char *entrain_version(void) { return "0.1.0" ENTRAIN_BUILD; }
