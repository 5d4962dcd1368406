package org.hyperslab.model;

import java.util.Optional;
import java.util.OptionalLong;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.type.CharacterSet;
import org.hyperslab.format.type.Datatype;

/**
 * The properties of an attribute.
 *
 * @param name its name on its object
 * @param charset the character set of the name
 * @param type the type of its elements, as stored
 * @param committedType the token of the committed type that it shares, if it does
 * @param space its extent
 * @param creationOrder its creation order on its object, if that is tracked
 * @param dataBytes bytes of its elements as stored
 */
public record AttributeInfo(
    String name,
    CharacterSet charset,
    Datatype type,
    Optional<ObjectToken> committedType,
    Dataspace space,
    OptionalLong creationOrder,
    long dataBytes) {}
