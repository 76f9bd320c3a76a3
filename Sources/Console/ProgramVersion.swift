/// The version of the program, as results record it.
package let programVersion = "0.1.0"
