/**
 * What connectors have in common: the table of what is open by its handle, and a base class of
 * connectors that carry out operations in the thread that submits them.
 */
@NullMarked
package org.hyperslab.vol.base;

import org.jspecify.annotations.NullMarked;
