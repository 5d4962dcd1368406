/** What all commands share: streams, options, names of files, output files, and messages. */
package org.hyperslab.tools.command;
