/**
 * The connector {@code log}: raw data goes to a log on fast storage first, and to the file later.
 */
package org.hyperslab.plugins.log;
