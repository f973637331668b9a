// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli.install;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What links a class file to others: its name, its supertypes, its members, and every class, field and method that its constant pool
 * names (The Java Virtual Machine Specification, chapter 4). Code is not read, so whether a call is to a static method is not known.
 * Names are internal ones ({@code java/lang/String}). Immutable.
 *
 * @param access its flags, as JVMS table 4.1-B has them
 * @param superclass empty for {@code java/lang/Object} alone
 * @param fields flags of each field that it declares
 * @param methods flags of each method that it declares
 * @param uses what its constant pool names, of other classes and of itself
 */
public record ClassFile(
        String name,
        int access,
        Optional<String> superclass,
        List<String> interfaces,
        Map<Signature, Integer> fields,
        Map<Signature, Integer> methods,
        Set<Use> uses) {

    static final int PUBLIC = 0x0001;
    static final int PRIVATE = 0x0002;
    static final int PROTECTED = 0x0004;
    static final int STATIC = 0x0008;
    static final int FINAL = 0x0010;
    static final int INTERFACE = 0x0200;
    static final int ABSTRACT = 0x0400;

    private static final int MAGIC = 0xCAFEBABE;

    public ClassFile {
        interfaces = List.copyOf(interfaces);
        fields = Map.copyOf(fields);
        methods = Map.copyOf(methods);
        uses = Set.copyOf(uses);
    }

    /** A member's name and descriptor, by which the JVM tells it from the others of its class. */
    public record Signature(String name, String descriptor) {}

    /** How one class uses another. */
    public enum UseKind {
        CLASS,
        /** A class that is named in the type of a member alone: it need not even be visible. */
        TYPE,
        FIELD,
        /** A private field that is read by reflection: no class file names it. */
        REFLECTED_FIELD,
        METHOD,
        INTERFACE_METHOD,
        /** It has a method that takes the place of this one of a supertype. */
        OVERRIDE,
        /** It can be made, and extends or implements this one. */
        SUPERTYPE
    }

    /**
     * A class, or a member of one, as a class file names it.
     *
     * @param owner the class, or the class that a member is looked for in first
     * @param name empty for a class
     * @param descriptor empty for a class
     */
    public record Use(UseKind kind, String owner, String name, String descriptor) implements Comparable<Use> {

        private static final Comparator<Use> ORDER = Comparator.comparing(Use::owner)
                .thenComparing(Use::name)
                .thenComparing(Use::descriptor)
                .thenComparing(Use::kind);

        static Use ofClass(UseKind kind, String name) {
            return new Use(kind, name, "", "");
        }

        Signature signature() {
            return new Signature(name, descriptor);
        }

        @Override
        public int compareTo(Use other) {
            return ORDER.compare(this, other);
        }
    }

    boolean isInterface() {
        return (access & INTERFACE) != 0;
    }

    boolean isAbstract() {
        return (access & ABSTRACT) != 0;
    }

    /** The package's internal name; empty for a class in none. */
    static String packageOf(String className) {
        return className.substring(0, Math.max(0, className.lastIndexOf('/')));
    }

    /**
     * Reads a class file; the stream stays open.
     *
     * @throws IOException where it ends too early or is no class file
     */
    public static ClassFile read(InputStream bytes) throws IOException {
        return read(bytes, true);
    }

    /** Reads one without what it uses, which takes half of the time. */
    public static ClassFile readMembers(InputStream bytes) throws IOException {
        return read(bytes, false);
    }

    private static ClassFile read(InputStream bytes, boolean withUses) throws IOException {
        DataInputStream in = new DataInputStream(bytes);
        if (in.readInt() != MAGIC) {
            throw new IOException("it is no class file");
        }
        in.readInt();
        ConstantPool pool = ConstantPool.read(in);
        int access = in.readUnsignedShort();
        String name = pool.className(in.readUnsignedShort());
        int superclass = in.readUnsignedShort();
        List<String> interfaces = new ArrayList<>();
        for (int left = in.readUnsignedShort(); left > 0; left--) {
            interfaces.add(pool.className(in.readUnsignedShort()));
        }
        Map<Signature, Integer> fields = members(in, pool);
        Map<Signature, Integer> methods = members(in, pool);
        return new ClassFile(
                name,
                access,
                superclass == 0 ? Optional.empty() : Optional.of(pool.className(superclass)),
                interfaces,
                fields,
                methods,
                withUses ? pool.uses(bootstrapArguments(in, pool)) : Set.of());
    }

    private static Map<Signature, Integer> members(DataInputStream in, ConstantPool pool) throws IOException {
        Map<Signature, Integer> members = new HashMap<>();
        for (int left = in.readUnsignedShort(); left > 0; left--) {
            int access = in.readUnsignedShort();
            String name = pool.text(in.readUnsignedShort());
            members.put(new Signature(name, pool.text(in.readUnsignedShort())), access);
            for (int attributes = in.readUnsignedShort(); attributes > 0; attributes--) {
                in.readUnsignedShort();
                in.skipNBytes(in.readInt());
            }
        }
        return members;
    }

    /** The first argument of each bootstrap method, by its number: of a lambda that is the erased type of the interface's method. */
    private static List<Integer> bootstrapArguments(DataInputStream in, ConstantPool pool) throws IOException {
        List<Integer> first = new ArrayList<>();
        for (int attributes = in.readUnsignedShort(); attributes > 0; attributes--) {
            boolean isOfBootstrap = pool.text(in.readUnsignedShort()).equals("BootstrapMethods");
            int length = in.readInt();
            if (!isOfBootstrap) {
                in.skipNBytes(length);
                continue;
            }
            for (int methods = in.readUnsignedShort(); methods > 0; methods--) {
                in.readUnsignedShort();
                int arguments = in.readUnsignedShort();
                first.add(arguments == 0 ? 0 : in.readUnsignedShort());
                in.skipNBytes(2L * Math.max(0, arguments - 1));
            }
        }
        return first;
    }

    /** The table of constants, whose entries point at one another by number (JVMS 4.4). */
    private static final class ConstantPool {

        private static final int UTF8 = 1;
        private static final int INTEGER = 3;
        private static final int FLOAT = 4;
        private static final int LONG = 5;
        private static final int DOUBLE = 6;
        private static final int CLASS = 7;
        private static final int STRING = 8;
        private static final int FIELD = 9;
        private static final int METHOD = 10;
        private static final int INTERFACE_METHOD = 11;
        private static final int NAME_AND_TYPE = 12;
        private static final int METHOD_HANDLE = 15;
        private static final int METHOD_TYPE = 16;
        private static final int DYNAMIC = 17;
        private static final int INVOKE_DYNAMIC = 18;
        private static final int MODULE = 19;
        private static final int PACKAGE = 20;

        private static final String ONE_TYPE = "\\[*(?:[BCDFIJSZV]|L[^;\\[\\]()<>. ]+;)";
        private static final Pattern DESCRIPTOR = Pattern.compile("(?:\\((?:" + ONE_TYPE + ")*\\))?" + ONE_TYPE);
        private static final Pattern CLASS_IN_DESCRIPTOR = Pattern.compile("L([^;]+);");

        private final int[] tags;
        /** The number of another entry, or the first of two. */
        private final int[] firsts;

        private final int[] seconds;
        private final String[] texts;

        private ConstantPool(int size) {
            tags = new int[size];
            firsts = new int[size];
            seconds = new int[size];
            texts = new String[size];
        }

        static ConstantPool read(DataInputStream in) throws IOException {
            int size = in.readUnsignedShort();
            ConstantPool pool = new ConstantPool(size);
            for (int entry = 1; entry < size; entry++) {
                int tag = in.readUnsignedByte();
                pool.tags[entry] = tag;
                switch (tag) {
                    case UTF8 -> pool.texts[entry] = in.readUTF();
                    case LONG, DOUBLE -> {
                        in.readLong();
                        // It takes two numbers.
                        entry++;
                    }
                    case CLASS, STRING, METHOD_TYPE, MODULE, PACKAGE -> pool.firsts[entry] = in.readUnsignedShort();
                    case METHOD_HANDLE -> {
                        in.readUnsignedByte();
                        pool.firsts[entry] = in.readUnsignedShort();
                    }
                    case INTEGER, FLOAT, FIELD, METHOD, INTERFACE_METHOD, NAME_AND_TYPE, DYNAMIC, INVOKE_DYNAMIC -> {
                        pool.firsts[entry] = in.readUnsignedShort();
                        pool.seconds[entry] = in.readUnsignedShort();
                    }
                    default -> throw new IOException("it has a constant of the unknown kind " + tag);
                }
            }
            return pool;
        }

        String text(int entry) throws IOException {
            String text = entry < texts.length ? texts[entry] : null;
            if (text == null) {
                throw new IOException("its constant " + entry + " is no text");
            }
            return text;
        }

        String className(int entry) throws IOException {
            return text(firsts[entry]);
        }

        /** @param bootstrapArguments of each bootstrap method the number of its first argument, 0 where it has none */
        Set<Use> uses(List<Integer> bootstrapArguments) throws IOException {
            Set<Use> uses = new TreeSet<>();
            for (int entry = 1; entry < tags.length; entry++) {
                switch (tags[entry]) {
                    case UTF8 -> addTypes(text(entry), uses);
                    case CLASS -> addClass(className(entry), uses);
                    case FIELD -> addMember(UseKind.FIELD, entry, uses);
                    case METHOD -> addMember(UseKind.METHOD, entry, uses);
                    case INTERFACE_METHOD -> addMember(UseKind.INTERFACE_METHOD, entry, uses);
                    case INVOKE_DYNAMIC -> addLambda(entry, bootstrapArguments, uses);
                    default -> {}
                }
            }
            return uses;
        }

        /** Fields, parameters, results and annotations are named by descriptors. */
        private static void addTypes(String text, Set<Use> uses) {
            if (text.endsWith(";") || text.startsWith("(")) {
                if (DESCRIPTOR.matcher(text).matches()) {
                    Matcher type = CLASS_IN_DESCRIPTOR.matcher(text);
                    while (type.find()) {
                        uses.add(Use.ofClass(UseKind.TYPE, type.group(1)));
                    }
                }
            }
        }

        /** An array's class is named by its descriptor, which is among the texts. */
        private static void addClass(String name, Set<Use> uses) {
            if (!name.startsWith("[")) {
                uses.add(Use.ofClass(UseKind.CLASS, name));
            }
        }

        private void addMember(UseKind kind, int entry, Set<Use> uses) throws IOException {
            String owner = className(firsts[entry]);
            if (!owner.startsWith("[")) {
                int nameAndType = seconds[entry];
                uses.add(new Use(kind, owner, text(firsts[nameAndType]), text(seconds[nameAndType])));
            }
        }

        /** A lambda, or a reference to a method, is an object of the interface that its call site returns. */
        private void addLambda(int entry, List<Integer> bootstrapArguments, Set<Use> uses) throws IOException {
            int nameAndType = seconds[entry];
            int argument = bootstrapArguments.get(firsts[entry]);
            Matcher made = Pattern.compile(".*\\)L([^;]+);").matcher(text(seconds[nameAndType]));
            if (made.matches() && tags[argument] == METHOD_TYPE) {
                uses.add(new Use(UseKind.OVERRIDE, made.group(1), text(firsts[nameAndType]), text(firsts[argument])));
            }
        }
    }
}
