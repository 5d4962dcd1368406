/** What an input is, by content and name, and how large it may become. */
@NullMarked
package org.hyperslab.convert.detect;

import org.jspecify.annotations.NullMarked;
