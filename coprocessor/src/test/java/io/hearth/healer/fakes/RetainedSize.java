// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.fakes;

import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.openjdk.jol.util.ObjectUtils;
import org.openjdk.jol.vm.VM;
import org.slf4j.Logger;

/**
 * The bytes of all objects that can be reached from one, without what belongs to others and what every JVM has: loggers, classes, threads.
 * (JOL's own walk follows a logger to every class of the JVM.)
 */
public final class RetainedSize {

    private static final ClassValue<List<Field>> FIELDS = new ClassValue<>() {
        @Override
        protected List<Field> computeValue(Class<?> type) {
            return references(type);
        }
    };

    static {
        // Else JOL does not look into records, and starts processes to look into this one.
        System.setProperty("jol.magicFieldOffset", "true");
        System.setProperty("jol.skipHotspotSAAttach", "true");
        System.setProperty("jol.skipDynamicAttach", "true");
    }

    private RetainedSize() {}

    /** @param others where the walk ends */
    public static long bytes(Object root, Collection<Object> others) {
        Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        seen.addAll(others);
        Deque<Object> open = new ArrayDeque<>();
        long bytes = 0;
        visit(root, seen, open);
        while (!open.isEmpty()) {
            Object next = open.pop();
            bytes += VM.current().sizeOf(next);
            if (next.getClass().isArray()) {
                if (!next.getClass().getComponentType().isPrimitive()) {
                    for (int index = 0; index < Array.getLength(next); index++) {
                        visit(Array.get(next, index), seen, open);
                    }
                }
            } else {
                for (Field field : FIELDS.get(next.getClass())) {
                    visit(ObjectUtils.value(next, field), seen, open);
                }
            }
        }
        return bytes;
    }

    private static List<Field> references(Class<?> type) {
        return Stream.<Class<?>>iterate(type, Objects::nonNull, Class::getSuperclass)
                .flatMap(each -> Arrays.stream(each.getDeclaredFields()))
                .filter(RetainedSize::isReference)
                .toList();
    }

    private static boolean isReference(Field field) {
        return !Modifier.isStatic(field.getModifiers()) && !field.getType().isPrimitive();
    }

    private static void visit(Object object, Set<Object> seen, Deque<Object> open) {
        boolean isOfTheJvm = object == null
                || object instanceof Logger
                || object instanceof Class
                || object instanceof ClassLoader
                || object instanceof Thread;
        if (!isOfTheJvm && seen.add(object)) {
            open.push(object);
        }
    }
}
