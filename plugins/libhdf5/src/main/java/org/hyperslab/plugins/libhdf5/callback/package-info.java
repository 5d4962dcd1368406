/** The callbacks of libhdf5's virtual object layer, one class for each kind of object. */
package org.hyperslab.plugins.libhdf5.callback;
