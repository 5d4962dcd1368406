/** Types, spaces, references, elements and property lists of C as those of Java. */
package org.hyperslab.plugins.libhdf5.translate;
