// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli.install;

import io.hearth.cli.install.ClassFile.Signature;
import io.hearth.cli.install.ClassFile.Use;
import io.hearth.cli.install.ClassFile.UseKind;
import io.hearth.cli.install.ClassHierarchy.Found;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Every class, method and field of HBase, of Hadoop and of the libraries that they bring which Hearth's class files name, and every
 * method of theirs that Hearth overrides, each with the classes of Hearth that do. The build writes it, since a jar for DataNodes is not
 * on the class path of the command line. Immutable.
 *
 * @param hbaseVersion the HBase that Hearth was built for
 * @param hadoopVersion the Hadoop that it was built for
 * @param usersByUse internal names of Hearth's classes
 */
public record UsedApi(String hbaseVersion, String hadoopVersion, SortedMap<Use, SortedSet<String>> usersByUse) {

    private static final List<String> FOREIGN_PACKAGES = List.of(
            "org/apache/hadoop/",
            "org/apache/hbase/thirdparty/",
            "com/google/protobuf/",
            "javax/servlet/",
            "org/slf4j/");

    private static final int NOT_OVERRIDING = ClassFile.PRIVATE | ClassFile.STATIC;

    public UsedApi {
        usersByUse = Collections.unmodifiableSortedMap(new TreeMap<>(usersByUse));
    }

    /**
     * What these classes of Hearth's use.
     *
     * @param own class files of Hearth's
     * @param reflected fields that it reads by reflection, with who does; what this HBase does not have is left out
     * @param hierarchy finds Hearth's class files, and those that it is compiled with
     */
    public static UsedApi of(
            String hbaseVersion,
            String hadoopVersion,
            Collection<ClassFile> own,
            Map<Use, String> reflected,
            ClassHierarchy hierarchy) {
        Reader reader = new Reader(own, hierarchy);
        own.forEach(reader::add);
        reflected.forEach((field, user) -> {
            if (hierarchy.field(field.owner(), field.signature()).isPresent()) {
                reader.usersByUse.put(field, new TreeSet<>(Set.of(user)));
            }
        });
        return new UsedApi(hbaseVersion, hadoopVersion, reader.usersByUse);
    }

    /** One line for each use, sorted: how, whose, which, by whom. */
    public List<String> lines() {
        List<String> lines = new ArrayList<>(List.of("hbase " + hbaseVersion, "hadoop " + hadoopVersion));
        usersByUse.forEach((use, users) -> lines.add(String.join(
                " ",
                use.kind().name().toLowerCase(Locale.ROOT),
                use.owner(),
                use.name().isEmpty() ? "-" : use.name(),
                use.descriptor().isEmpty() ? "-" : use.descriptor(),
                String.join(",", users))));
        return lines;
    }

    /** Reads {@link #lines}. */
    public static UsedApi parse(List<String> lines) {
        Map<String, String> versions = new HashMap<>();
        SortedMap<Use, SortedSet<String>> usersByUse = new TreeMap<>();
        for (String line : lines) {
            String[] words = line.split(" ");
            if (words.length == 2) {
                versions.put(words[0], words[1]);
            } else {
                usersByUse.put(
                        new Use(
                                UseKind.valueOf(words[0].toUpperCase(Locale.ROOT)),
                                words[1],
                                words[2].equals("-") ? "" : words[2],
                                words[3].equals("-") ? "" : words[3]),
                        new TreeSet<>(Arrays.asList(words[4].split(","))));
            }
        }
        return new UsedApi(
                Optional.ofNullable(versions.get("hbase")).orElseThrow(),
                Optional.ofNullable(versions.get("hadoop")).orElseThrow(),
                usersByUse);
    }

    private static final class Reader {

        private final Map<String, ClassFile> ownByName = new HashMap<>();
        private final ClassHierarchy hierarchy;
        private final SortedMap<Use, SortedSet<String>> usersByUse = new TreeMap<>();

        Reader(Collection<ClassFile> own, ClassHierarchy hierarchy) {
            own.forEach(file -> ownByName.put(file.name(), file));
            this.hierarchy = hierarchy;
        }

        void add(ClassFile file) {
            for (Use use : file.uses()) {
                if (isForeign(use.owner())) {
                    add(use, file);
                } else {
                    inherited(use).ifPresent(foreign -> add(foreign, file));
                }
            }
            for (String supertype : foreignSupertypes(file)) {
                Set<Signature> methods = ownMethods(file);
                if (!file.isAbstract()) {
                    add(Use.ofClass(UseKind.SUPERTYPE, supertype), file);
                    methods.addAll(hierarchy.abstractMethods(supertype).keySet());
                }
                methods.stream()
                        .filter(method -> hierarchy
                                .method(supertype, method)
                                .filter(found -> isForeign(found.owner().name()))
                                .isPresent())
                        .forEach(method ->
                                add(new Use(UseKind.OVERRIDE, supertype, method.name(), method.descriptor()), file));
            }
        }

        private void add(Use use, ClassFile user) {
            usersByUse.computeIfAbsent(use, first -> new TreeSet<>()).add(user.name());
        }

        private boolean isForeign(String className) {
            return !ownByName.containsKey(className)
                    && FOREIGN_PACKAGES.stream().anyMatch(className::startsWith);
        }

        /** A member of Hearth's own class by the name, which the class has from a foreign one: that one's member is used. */
        private Optional<Use> inherited(Use use) {
            ClassFile own = ownByName.get(use.owner());
            if (own == null || use.name().isEmpty()) {
                return Optional.empty();
            }
            for (String supertype : foreignSupertypes(own)) {
                boolean isField = use.kind() == UseKind.FIELD;
                Optional<Found> declared = isField
                        ? hierarchy.field(own.name(), use.signature())
                        : hierarchy.method(own.name(), use.signature());
                Optional<Found> ofSupertype = isField
                        ? hierarchy.field(supertype, use.signature())
                        : hierarchy.method(supertype, use.signature());
                if (declared.equals(ofSupertype)
                        && declared.filter(found -> isForeign(found.owner().name()))
                                .isPresent()) {
                    boolean isOfInterface =
                            hierarchy.find(supertype).orElseThrow().isInterface();
                    UseKind kind = isField ? UseKind.FIELD : isOfInterface ? UseKind.INTERFACE_METHOD : UseKind.METHOD;
                    return Optional.of(new Use(kind, supertype, use.name(), use.descriptor()));
                }
            }
            return Optional.empty();
        }

        /** The first foreign classes and interfaces on each way up from this class. */
        private Set<String> foreignSupertypes(ClassFile file) {
            Set<String> foreign = new LinkedHashSet<>();
            Stream.concat(file.superclass().stream(), file.interfaces().stream())
                    .forEach(supertype -> {
                        ClassFile own = ownByName.get(supertype);
                        if (own != null) {
                            foreign.addAll(foreignSupertypes(own));
                        } else if (isForeign(supertype)) {
                            foreign.add(supertype);
                        }
                    });
            return foreign;
        }

        /** The methods that an object of this class has from Hearth's classes. */
        private Set<Signature> ownMethods(ClassFile file) {
            Set<Signature> methods = new LinkedHashSet<>();
            file.methods().forEach((method, access) -> {
                if ((access & NOT_OVERRIDING) == 0 && !method.name().startsWith("<")) {
                    methods.add(method);
                }
            });
            Stream.concat(file.superclass().stream(), file.interfaces().stream())
                    .flatMap(supertype -> Stream.ofNullable(ownByName.get(supertype)))
                    .forEach(supertype -> methods.addAll(ownMethods(supertype)));
            return methods;
        }
    }
}
