// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli.install;

import io.hearth.cli.install.ClassFile.Signature;
import io.hearth.cli.install.ClassFile.Use;
import io.hearth.cli.install.ClassFile.UseKind;
import io.hearth.cli.install.ClassHierarchy.Found;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Holds the jars of a cluster against {@link UsedApi what Hearth uses}: which class, method or field is not there, or not as Hearth was
 * compiled with it. Such a use ends in a {@code LinkageError} when it is reached. Members are looked for where the JVM looks for them, in
 * supertypes as well. Not seen: a method that has become static or no longer is one, a protected member of a class that is not extended,
 * and whatever does something else under the same name. Immutable.
 *
 * @param hbaseVersion of the cluster's jars
 * @param hadoopVersion of the cluster's jars
 * @param used how many classes, methods and fields were looked for
 * @param missing in the order of classes and members
 */
public record LibraryCheck(
        String hbaseVersion,
        String hadoopVersion,
        String builtForHBase,
        String builtForHadoop,
        int used,
        List<Missing> missing) {

    private static final String DATANODE_PART = "DataNode's jar";

    /** The part of Hearth by the package of a class, the longest prefix first. */
    private static final Map<String, String> PART_BY_PACKAGE = new LinkedHashMap<>();

    static {
        PART_BY_PACKAGE.put("org/apache/hadoop/hbase/master/balancer/", "balancer");
        PART_BY_PACKAGE.put("org/apache/hadoop/hdfs/", DATANODE_PART);
        PART_BY_PACKAGE.put("io/hearth/datanode/", DATANODE_PART);
        PART_BY_PACKAGE.put("io/hearth/balancer/", "balancer");
        PART_BY_PACKAGE.put("io/hearth/healer/", "healer");
        PART_BY_PACKAGE.put("io/hearth/ui/", "page");
        PART_BY_PACKAGE.put("io/hearth/admin/", "admin endpoint");
        PART_BY_PACKAGE.put("io/hearth/doctor/", "doctor");
        PART_BY_PACKAGE.put("io/hearth/common/", "every part");
        PART_BY_PACKAGE.put("io/hearth/", "command line");
    }

    public LibraryCheck {
        missing = List.copyOf(missing);
    }

    /**
     * What Hearth uses and the jars do not have.
     *
     * @param what it is, as {@code class NAME}, {@code method CLASS.NAME(TYPES): TYPE} or {@code field CLASS.NAME: TYPE}, and what is wrong
     *     with it if it is there
     * @param usersByPart simple names of Hearth's classes by the part of Hearth that does without
     */
    public record Missing(String what, SortedMap<String, SortedSet<String>> usersByPart) {

        /** Whether only the optional jar for DataNodes uses it. */
        public boolean isOfDataNodeJar() {
            return usersByPart.keySet().equals(Set.of(DATANODE_PART));
        }

        private String line() {
            return what + " ("
                    + usersByPart.entrySet().stream()
                            .map(part -> part.getKey() + ": " + String.join(", ", part.getValue()))
                            .collect(Collectors.joining("; "))
                    + ")";
        }
    }

    /**
     * Looks for all that is used.
     *
     * @param installed finds class files in the cluster's jars, and the JDK's
     */
    public static LibraryCheck of(UsedApi used, ClassHierarchy installed, String hbaseVersion, String hadoopVersion) {
        Search search = new Search(used, installed);
        used.usersByUse().forEach(search::look);
        return new LibraryCheck(
                hbaseVersion,
                hadoopVersion,
                used.hbaseVersion(),
                used.hadoopVersion(),
                (int) used.usersByUse().keySet().stream()
                        .map(use -> List.of(use.owner(), use.signature()))
                        .distinct()
                        .count(),
                search.missing());
    }

    /** Whether balancer, healer, page and command line have all that they use. */
    public boolean isClear() {
        return missing.stream().allMatch(Missing::isOfDataNodeJar);
    }

    /** What was found, for a terminal. */
    public List<String> lines() {
        String installed = "HBase " + hbaseVersion + " and Hadoop " + hadoopVersion;
        if (missing.isEmpty()) {
            return List.of(installed + " have all " + used
                    + " classes, methods and fields that Hearth uses. It was built for " + builtFor() + ".");
        }
        List<String> lines = new ArrayList<>();
        lines.add(installed + " lack " + missing.size() + " of " + used
                + " classes, methods and fields that Hearth uses. It was built for " + builtFor() + ".");
        lines.addAll(lines(missing, one -> !one.isOfDataNodeJar()));
        List<String> ofDataNodeJar = lines(missing, Missing::isOfDataNodeJar);
        if (!ofDataNodeJar.isEmpty()) {
            lines.add("For hearth-datanode.jar alone, which is optional:");
            lines.addAll(ofDataNodeJar);
        }
        return lines;
    }

    private static List<String> lines(List<Missing> missing, Predicate<Missing> which) {
        return missing.stream().filter(which).map(one -> "  " + one.line()).toList();
    }

    private String builtFor() {
        return "HBase " + builtForHBase + " and Hadoop " + builtForHadoop;
    }

    private static final class Search {

        private static final Pattern TYPE = Pattern.compile("(\\[*)(?:([BCDFIJSZV])|L([^;]+);)");
        private static final Map<String, String> PRIMITIVES = Map.of(
                "B", "byte", "C", "char", "D", "double", "F", "float", "I", "int", "J", "long", "S", "short", "Z",
                "boolean", "V", "void");

        private final UsedApi used;
        private final ClassHierarchy installed;
        private final Map<String, Set<String>> usersByProblem = new LinkedHashMap<>();

        Search(UsedApi used, ClassHierarchy installed) {
            this.used = used;
            this.installed = installed;
        }

        List<Missing> missing() {
            List<Missing> missing = new ArrayList<>();
            usersByProblem.forEach((what, users) -> missing.add(new Missing(what, byPart(users))));
            return missing;
        }

        void look(Use use, Set<String> users) {
            Optional<ClassFile> owner = installed.find(use.owner());
            if (owner.isEmpty()) {
                found("class " + readable(use.owner()), users);
                return;
            }
            switch (use.kind()) {
                // That it is there is all that counts.
                case TYPE -> {}
                case CLASS -> lookAtClass(owner.get(), users);
                case SUPERTYPE -> lookAtSupertype(owner.get(), users);
                case REFLECTED_FIELD -> {
                    if (installed.field(use.owner(), use.signature()).isEmpty()) {
                        found(readable(use), users);
                    }
                }
                case FIELD -> lookAtMember(use, installed.field(use.owner(), use.signature()), users);
                case METHOD, INTERFACE_METHOD -> {
                    if (owner.get().isInterface() != (use.kind() == UseKind.INTERFACE_METHOD)) {
                        found(
                                "class " + readable(use.owner())
                                        + (owner.get().isInterface()
                                                ? " is an interface there"
                                                : " is no interface there"),
                                users);
                    }
                    lookAtMember(use, installed.method(use.owner(), use.signature()), users);
                }
                case OVERRIDE -> lookAtOverride(use, users);
            }
        }

        private void lookAtClass(ClassFile owner, Set<String> users) {
            Set<String> shutOut = users.stream()
                    .filter(user -> (owner.access() & ClassFile.PUBLIC) == 0 && !isOfSamePackage(user, owner.name()))
                    .collect(Collectors.toCollection(TreeSet::new));
            if (!shutOut.isEmpty()) {
                found("class " + readable(owner.name()) + " is not public there", shutOut);
            }
        }

        private void lookAtMember(Use use, Optional<Found> member, Set<String> users) {
            if (member.isEmpty()) {
                Set<String> absent = installed.absentSupertypes(use.owner());
                if (absent.isEmpty()) {
                    found(readable(use), users);
                } else {
                    absent.forEach(supertype -> found("class " + readable(supertype), users));
                }
                return;
            }
            Set<String> shutOut = users.stream()
                    .filter(user -> !member.get().isOpenTo(ClassFile.packageOf(user)))
                    .collect(Collectors.toCollection(TreeSet::new));
            if (!shutOut.isEmpty()) {
                found(readable(use) + " is not open to Hearth there", shutOut);
            }
        }

        private void lookAtOverride(Use use, Set<String> users) {
            Optional<Found> method = installed.method(use.owner(), use.signature());
            if (method.isEmpty()) {
                found(readable(use) + " is not called there", users);
            } else if (method.get().isFinal()) {
                found(readable(use) + " is final there", users);
            }
        }

        private void lookAtSupertype(ClassFile owner, Set<String> users) {
            if ((owner.access() & ClassFile.FINAL) != 0) {
                found("class " + readable(owner.name()) + " is final there", users);
            }
            installed.abstractMethods(owner.name()).forEach((method, found) -> {
                // What is the JDK's was implemented when Hearth was compiled.
                Set<String> without = users.stream()
                        .filter(user -> !found.owner().name().startsWith("java/") && !overrides(user, method))
                        .collect(Collectors.toCollection(TreeSet::new));
                if (!without.isEmpty()) {
                    Use use = new Use(UseKind.METHOD, owner.name(), method.name(), method.descriptor());
                    found(readable(use) + " is abstract there, and Hearth does not implement it", without);
                }
            });
        }

        private boolean overrides(String user, Signature method) {
            return used.usersByUse().entrySet().stream()
                    .filter(entry -> entry.getKey().kind() == UseKind.OVERRIDE)
                    .anyMatch(entry -> entry.getKey().signature().equals(method)
                            && entry.getValue().contains(user));
        }

        private void found(String problem, Collection<String> users) {
            usersByProblem.computeIfAbsent(problem, first -> new TreeSet<>()).addAll(users);
        }

        private static boolean isOfSamePackage(String one, String other) {
            return ClassFile.packageOf(one).equals(ClassFile.packageOf(other));
        }

        private static SortedMap<String, SortedSet<String>> byPart(Set<String> users) {
            SortedMap<String, SortedSet<String>> usersByPart = new TreeMap<>();
            for (String user : users) {
                String part = PART_BY_PACKAGE.entrySet().stream()
                        .filter(entry -> user.startsWith(entry.getKey()))
                        .map(Map.Entry::getValue)
                        .findFirst()
                        .orElse("command line");
                String outermost = user.substring(user.lastIndexOf('/') + 1).replaceAll("\\$.*", "");
                usersByPart.computeIfAbsent(part, first -> new TreeSet<>()).add(outermost);
            }
            return usersByPart;
        }

        private static String readable(String internalName) {
            return internalName.replace('/', '.').replace('$', '.');
        }

        private static String readable(Use use) {
            String owner = readable(use.owner());
            List<String> types = types(use.descriptor());
            if (use.kind() == UseKind.FIELD || use.kind() == UseKind.REFLECTED_FIELD) {
                return "field " + owner + "." + use.name() + ": " + types.get(0);
            }
            String parameters = "(" + String.join(", ", types.subList(0, types.size() - 1)) + ")";
            return use.name().equals("<init>")
                    ? "constructor " + owner + parameters
                    : "method " + owner + "." + use.name() + parameters + ": " + types.get(types.size() - 1);
        }

        /** The types of a descriptor, of a method its result last. */
        private static List<String> types(String descriptor) {
            List<String> types = new ArrayList<>();
            Matcher type = TYPE.matcher(descriptor);
            while (type.find()) {
                String primitive = type.group(2);
                String name = primitive == null
                        ? readable(Objects.requireNonNull(type.group(3))).replaceFirst("^java\\.lang\\.(?=[A-Z])", "")
                        : Objects.requireNonNull(PRIMITIVES.get(primitive));
                types.add(
                        name + "[]".repeat(Objects.requireNonNull(type.group(1)).length()));
            }
            return types;
        }
    }
}
