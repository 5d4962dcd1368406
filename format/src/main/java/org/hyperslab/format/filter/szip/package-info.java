/** Filter 4, szip: the extended Rice code of CCSDS 121.0-B in the framing of HDF5. */
package org.hyperslab.format.filter.szip;
