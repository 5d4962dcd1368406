/** The command {@code stage}: a staging server. */
package org.hyperslab.tools.stage;
