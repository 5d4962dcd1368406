/** Statistics of a file's objects and of the space they take. */
package org.hyperslab.tools.stat;
