/** What an input is, by content and name, and how large it may become. */
package org.hyperslab.convert.detect;
