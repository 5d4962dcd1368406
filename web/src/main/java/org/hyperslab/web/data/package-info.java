/**
 * Elements as they are sent: bytes of plain types piece by piece, JSON, NumPy's descriptions of
 * types.
 */
package org.hyperslab.web.data;
