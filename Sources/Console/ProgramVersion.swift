import CVersion

/// The version of the program, as results record it; that of a release names the commit too: `0.1.0+78a9ac8d1234`.
package let programVersion = unsafe String(cString: entrain_version())
