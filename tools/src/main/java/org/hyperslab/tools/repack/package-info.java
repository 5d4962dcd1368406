/** The command {@code repack}: a plan, executed object by object through the public API. */
package org.hyperslab.tools.repack;
