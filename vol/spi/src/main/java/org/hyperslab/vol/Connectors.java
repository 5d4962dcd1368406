package org.hyperslab.vol;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.TreeMap;
import java.util.concurrent.CompletionException;
import java.util.stream.Collectors;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.NotFoundException;

/**
 * Finds and makes connectors. Their factories are services of type {@link ConnectorFactory}, looked
 * up anew in every call, so that no class loader is retained. Those of this project are found
 * without being listed as services, too.
 *
 * <p>Thread rule: any thread.
 */
public final class Connectors {

  /** The system property that holds the configuration used where none is given. */
  public static final String PROPERTY = "hyperslab.connector";

  /** The environment variable that holds it if the property is not set. */
  public static final String ENVIRONMENT = "HYPERSLAB_CONNECTOR";

  /** The system property that names a configuration file for the connector {@code configured}. */
  public static final String CONFIGURATION_PROPERTY = "hyperslab.config";

  /** The environment variable that names it if the property is not set. */
  public static final String CONFIGURATION_ENVIRONMENT = "HYPERSLAB_CONFIG";

  /** The configuration if neither is set: files on this machine. */
  public static final String FALLBACK = "native";

  private static final String CONFIGURED = "configured";

  /**
   * The factories that the loader of this class finds, each looked for once and only when needed:
   * going through a long class path takes tens of milliseconds, more than opening a file. Guarded
   * by itself.
   */
  private static final class Own {
    static final ServiceLoader<ConnectorFactory> FACTORIES =
        ServiceLoader.load(ConnectorFactory.class, Connectors.class.getClassLoader());
  }

  private Connectors() {}

  /**
   * Reads a configuration string.
   *
   * @param configuration the configuration, such as {@code "native"}
   * @return the configuration
   * @throws InvalidUseException if it does not follow the grammar at {@link ConnectorConfiguration}
   */
  public static ConnectorConfiguration parse(String configuration) {
    return new ConfigurationParser(configuration).parse();
  }

  /**
   * {@return the configuration used where none is given: property, else environment, else native}
   * If a configuration file is named, by property or else by environment, the connector {@code
   * configured} stands above it.
   */
  public static String defaultConfiguration() {
    return underFile(set(PROPERTY, ENVIRONMENT).orElse(FALLBACK), "");
  }

  /**
   * {@return a configuration that a program has chosen, below the connector {@code configured} if a
   * configuration file is named; its rules then choose other connectors only if they are forced}
   *
   * @param chosen the configuration
   */
  public static String chosenConfiguration(String chosen) {
    return underFile(chosen, " connectors=false");
  }

  private static String underFile(String stack, String options) {
    Optional<String> file = set(CONFIGURATION_PROPERTY, CONFIGURATION_ENVIRONMENT);
    if (file.isEmpty() || stack.stripLeading().startsWith(CONFIGURED)) {
      return stack;
    }
    Map<String, String> named = Map.of("file", file.get());
    return new ConnectorConfiguration(CONFIGURED, named, Optional.empty())
        + options
        + " | "
        + stack;
  }

  private static Optional<String> set(String property, String environment) {
    return Optional.ofNullable(System.getProperty(property))
        .filter(text -> !text.isBlank())
        .or(() -> Optional.ofNullable(System.getenv(environment)))
        .filter(text -> !text.isBlank());
  }

  /**
   * Makes the connector that a configuration string describes, with all below it. The caller closes
   * it.
   *
   * @param configuration the configuration, such as {@code "native"}
   * @return the connector
   * @throws InvalidUseException if the string or an option is wrong
   * @throws NotFoundException if there is no connector of a name, listing those present
   */
  public static Connector create(String configuration) {
    return create(parse(configuration));
  }

  /**
   * Like {@link #create(String)}, from a configuration already read.
   *
   * @param configuration the configuration
   * @return the connector
   */
  public static Connector create(ConnectorConfiguration configuration) {
    return factory(configuration.name()).create(configuration);
  }

  /**
   * {@return the factory of a name}
   *
   * @param name the name
   * @throws NotFoundException if there is none, listing those present
   */
  public static ConnectorFactory factory(String name) {
    ClassLoader context = Thread.currentThread().getContextClassLoader();
    return first(context, name)
        .or(() -> first(Connectors.class.getClassLoader(), name))
        .or(() -> KnownFactories.find(name))
        .orElseThrow(() -> missing(name));
  }

  /**
   * Returns the first factory of a name; does not look at what comes after it on the class path.
   */
  private static Optional<ConnectorFactory> first(ClassLoader loader, String name) {
    if (loader != Connectors.class.getClassLoader()) {
      return load(loader).stream().filter(factory -> factory.name().equals(name)).findFirst();
    }
    synchronized (Own.FACTORIES) {
      for (ConnectorFactory factory : Own.FACTORIES) {
        if (factory.name().equals(name)) {
          return Optional.of(factory);
        }
      }
    }
    return Optional.empty();
  }

  private static NotFoundException missing(String name) {
    Map<String, ConnectorFactory> present = factories();
    return new NotFoundException(
        "connector: actual=\""
            + name
            + "\", expected=one of "
            + (present.isEmpty() ? "(none present)" : String.join(", ", present.keySet()))
            + "; put its module on the module path or class path");
  }

  /**
   * {@return all factories present, by name in alphabetical order; the first found of a name
   * counts}
   */
  public static Map<String, ConnectorFactory> factories() {
    Map<String, ConnectorFactory> found = new TreeMap<>();
    ClassLoader context = Thread.currentThread().getContextClassLoader();
    if (context != Connectors.class.getClassLoader()) {
      load(context).forEach(factory -> found.putIfAbsent(factory.name(), factory));
    }
    synchronized (Own.FACTORIES) {
      Own.FACTORIES.forEach(factory -> found.putIfAbsent(factory.name(), factory));
    }
    KnownFactories.all().forEach(factory -> found.putIfAbsent(factory.name(), factory));
    return found;
  }

  /**
   * {@return the factory that a URI scheme chooses, if any; case does not matter}
   *
   * @param scheme the scheme of a URI
   */
  public static Optional<ConnectorFactory> byScheme(String scheme) {
    String wanted = scheme.toLowerCase(Locale.ROOT);
    return factories().values().stream()
        .filter(factory -> factory.schemes().contains(wanted))
        .findFirst();
  }

  /** {@return all schemes present with the names of their connectors, for messages} */
  public static String describeSchemes() {
    return factories().values().stream()
        .flatMap(factory ->
            factory.schemes().stream().map(scheme -> scheme + " (" + factory.name() + ")"))
        .sorted()
        .collect(Collectors.joining(", "));
  }

  /**
   * {@return the cause of a stage's failure, without the wrappers that derived stages add}
   *
   * @param failure the failure
   */
  public static Throwable causeOf(Throwable failure) {
    Throwable bare = failure;
    while (bare instanceof CompletionException && bare.getCause() != null) {
      bare = bare.getCause();
    }
    return bare;
  }

  /**
   * {@return the first connector of a class in a stack, from the top; empty if there is none}
   *
   * @param <C> the class of the connector
   * @param top the topmost connector
   * @param type the class of the connector sought
   */
  public static <C extends Connector> Optional<C> find(Connector top, Class<C> type) {
    Optional<Connector> here = Optional.of(top);
    while (here.isPresent()) {
      if (type.isInstance(here.get())) {
        return here.map(type::cast);
      }
      here = here.get().below();
    }
    return Optional.empty();
  }

  private static List<ConnectorFactory> load(ClassLoader loader) {
    return ServiceLoader.load(ConnectorFactory.class, loader).stream()
        .map(ServiceLoader.Provider::get)
        .toList();
  }
}
