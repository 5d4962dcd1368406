/** The command {@code stat}: counts objects, and the storage that they take. */
package org.hyperslab.tools.stat;
