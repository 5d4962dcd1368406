/**
 * Applies a configuration file to programs that do not know it. The connector {@code configured}
 * chooses, by the names of files and the paths of objects, connectors, chunks, filters, durability
 * and other options, and passes the operations on. {@link
 * org.hyperslab.plugins.configured.Configuration} reads the file and explains what it chooses.
 */
package org.hyperslab.plugins.configured;
