// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli.install;

import io.hearth.cli.install.ClassFile.Signature;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Finds members as the JVM does when it links a class: in the class that is named, then in its supertypes (JVMS 5.4.3). A supertype that
 * is not there counts as one without members. Not thread-safe.
 */
public final class ClassHierarchy {

    private final Function<String, Optional<ClassFile>> classes;

    /** @param classes the class file of an internal name; asked again for the same name */
    public ClassHierarchy(Function<String, Optional<ClassFile>> classes) {
        this.classes = classes;
    }

    /**
     * A member, and the class that declares it.
     *
     * @param access the member's flags
     */
    record Found(ClassFile owner, int access) {

        boolean isFinal() {
            return (access & ClassFile.FINAL) != 0;
        }

        /** Whether a class of this package may use it. A protected one counts as open to all: who extends whom is not looked at. */
        boolean isOpenTo(String packageName) {
            return (access & ClassFile.PRIVATE) == 0
                    && ((access & (ClassFile.PUBLIC | ClassFile.PROTECTED)) != 0
                            || ClassFile.packageOf(owner.name()).equals(packageName));
        }
    }

    Optional<ClassFile> find(String name) {
        return classes.apply(name);
    }

    /** The field: of the class, then of its interfaces, then of its superclass. */
    Optional<Found> field(String owner, Signature field) {
        return find(owner).flatMap(file -> declared(file, file.fields(), field)
                .or(() -> Stream.concat(file.interfaces().stream(), file.superclass().stream())
                        .flatMap(supertype -> field(supertype, field).stream())
                        .findFirst()));
    }

    /** The method: of the class and its superclasses, then of their interfaces. An interface has those of Object too. */
    Optional<Found> method(String owner, Signature method) {
        List<ClassFile> chain = superclasses(owner);
        return chain.stream()
                .flatMap(file -> declared(file, file.methods(), method).stream())
                .findFirst()
                .or(() -> interfaces(owner).stream()
                        .flatMap(file -> declared(file, file.methods(), method).stream())
                        .filter(found -> (found.access() & (ClassFile.PRIVATE | ClassFile.STATIC)) == 0)
                        .findFirst());
    }

    /** The methods of the class and its supertypes that none of them implements: who can be made has to have them. */
    Map<Signature, Found> abstractMethods(String owner) {
        Map<Signature, Found> open = new LinkedHashMap<>();
        Stream.concat(superclasses(owner).stream(), interfaces(owner).stream())
                .forEach(file -> file.methods().forEach((method, access) -> {
                    if ((access & ClassFile.ABSTRACT) != 0 && !isImplemented(owner, method)) {
                        open.putIfAbsent(method, new Found(file, access));
                    }
                }));
        return open;
    }

    private boolean isImplemented(String owner, Signature method) {
        return Stream.concat(superclasses(owner).stream(), interfaces(owner).stream())
                .flatMap(file -> declared(file, file.methods(), method).stream())
                .anyMatch(found -> (found.access() & (ClassFile.ABSTRACT | ClassFile.STATIC)) == 0);
    }

    /** The supertypes that are named and not there. */
    Set<String> absentSupertypes(String owner) {
        Set<String> absent = new TreeSet<>();
        Stream.concat(superclasses(owner).stream(), interfaces(owner).stream())
                .flatMap(file -> Stream.concat(file.superclass().stream(), file.interfaces().stream()))
                .filter(name -> find(name).isEmpty())
                .forEach(absent::add);
        return absent;
    }

    private static Optional<Found> declared(ClassFile file, Map<Signature, Integer> members, Signature member) {
        return Optional.ofNullable(members.get(member)).map(access -> new Found(file, access));
    }

    /** The class itself first. */
    private List<ClassFile> superclasses(String name) {
        List<ClassFile> chain = new ArrayList<>();
        Optional<ClassFile> next = find(name);
        while (next.isPresent()) {
            chain.add(next.get());
            next = next.get().superclass().flatMap(this::find);
        }
        return chain;
    }

    private List<ClassFile> interfaces(String name) {
        Map<String, ClassFile> all = new LinkedHashMap<>();
        superclasses(name).forEach(file -> addInterfaces(file, all));
        return List.copyOf(all.values());
    }

    private void addInterfaces(ClassFile file, Map<String, ClassFile> all) {
        for (String name : file.interfaces()) {
            Optional<ClassFile> found = all.containsKey(name) ? Optional.empty() : find(name);
            found.ifPresent(one -> {
                all.put(name, one);
                addInterfaces(one, all);
            });
        }
    }
}
