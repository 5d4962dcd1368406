/** The command {@code example} and its subcommands, one for each kernel of parallel I/O. */
package org.hyperslab.tools.example;
