#ifndef C_VERSION_H
#define C_VERSION_H

/// The version of the programs, which results record; that of a release names the commit too.
const char *_Nonnull entrain_version(void);

#endif
