/** Groups: the forms in which they store links, the links, and paths along them. */
package org.hyperslab.plugins.nativevol.group;
