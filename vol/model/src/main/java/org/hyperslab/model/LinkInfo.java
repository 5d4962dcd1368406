package org.hyperslab.model;

import java.util.OptionalLong;
import org.hyperslab.format.type.CharacterSet;

/**
 * The properties of a link.
 *
 * @param name the link's name within the group
 * @param kind how it names its target
 * @param charset the character set of the name
 * @param creationOrder its creation order in the group, if the group tracks it
 * @param token the target's token, for {@link LinkKind#HARD}; otherwise null
 * @param targetFile the file name, for {@link LinkKind#EXTERNAL}; otherwise null
 * @param targetPath the path, for {@link LinkKind#SOFT} and {@link LinkKind#EXTERNAL}; otherwise
 *     null
 * @param userClass the link class, for {@link LinkKind#USER_DEFINED}; otherwise 0
 * @param userData the link's bytes, for {@link LinkKind#USER_DEFINED}; otherwise empty
 */
public record LinkInfo(
    String name,
    LinkKind kind,
    CharacterSet charset,
    OptionalLong creationOrder,
    ObjectToken token,
    String targetFile,
    String targetPath,
    int userClass,
    LinkData userData) {}
