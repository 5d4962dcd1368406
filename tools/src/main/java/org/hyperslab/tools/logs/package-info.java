/** Commands for the logs of files that the connector {@code log} has left. */
package org.hyperslab.tools.logs;
