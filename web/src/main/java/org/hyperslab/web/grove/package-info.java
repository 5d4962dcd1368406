/** The API of h5grove: requests to replies. */
package org.hyperslab.web.grove;
