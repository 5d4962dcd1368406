package org.hyperslab.format.filter;

import java.util.Arrays;
import java.util.List;

/**
 * A filter of a pipeline, as the filter pipeline message stores it.
 *
 * @param id the registered number of the filter, 1 to 65535
 * @param optional whether a chunk is stored without this filter if the filter cannot encode it
 * @param name the name stored with it, possibly empty
 * @param clientData the filter's parameters, each 32 bits
 */
public record FilterStage(int id, boolean optional, String name, List<Integer> clientData) {

  /** Copies the client data. */
  public FilterStage {
    clientData = List.copyOf(clientData);
  }

  /**
   * {@return a mandatory filter without a stored name}
   *
   * @param id the filter's registered number
   * @param clientData the filter's client data values
   */
  public static FilterStage mandatory(int id, int... clientData) {
    return of(id, false, clientData);
  }

  /**
   * {@return an optional filter without a stored name}
   *
   * @param id the filter's registered number
   * @param clientData the filter's client data values
   */
  public static FilterStage optional(int id, int... clientData) {
    return of(id, true, clientData);
  }

  private static FilterStage of(int id, boolean optional, int... clientData) {
    return new FilterStage(id, optional, "", Arrays.stream(clientData).boxed().toList());
  }

  /** {@return the client data as a new array} */
  public int[] clientDataArray() {
    return clientData.stream().mapToInt(Integer::intValue).toArray();
  }

  /**
   * {@return this stage with other client data}
   *
   * @param values the new client data
   */
  public FilterStage withClientData(int... values) {
    return new FilterStage(id, optional, name, Arrays.stream(values).boxed().toList());
  }
}
