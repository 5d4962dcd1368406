/** Files, archives and stores of keys as bytes, with bounds on what they may expand to. */
package org.hyperslab.convert.bytes;
