/** Numbers as C's {@code printf} prints them. */
package org.hyperslab.tools.number;
