/**
 * The commands that convert files of other formats, and refer to them: {@code convert}, {@code
 * index}.
 */
package org.hyperslab.tools.convert;
