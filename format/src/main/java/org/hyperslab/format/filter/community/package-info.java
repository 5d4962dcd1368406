/** Filters that others have registered with The HDF Group. */
package org.hyperslab.format.filter.community;
