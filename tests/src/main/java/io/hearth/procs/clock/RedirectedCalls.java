package io.hearth.procs.clock;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Points all calls of one static method in a class file to the method of the same name and type of another class.
 *
 * <p>A class file names each method that it calls once, in its constant pool: a pair of a class and of a name with its type. So only that pair has to
 * get another class, which is added at the end of the pool; no code changes. Java Virtual Machine Specification, 4.4.
 *
 * @param owner the class of the method, with slashes
 * @param method its name
 * @param type its descriptor
 * @param target the other class, with slashes
 */
record RedirectedCalls(String owner, String method, String type, String target) {

    private static final int POOL = 8;
    private static final int UTF8 = 1;
    private static final int CLASS = 7;
    private static final int METHOD = 10;
    private static final int NAME_AND_TYPE = 12;

    /** The class file with other calls; empty if it has no such call. */
    Optional<byte[]> in(byte[] classFile) {
        try {
            Pool pool = Pool.read(classFile);
            Optional<Integer> call = pool.method(owner, method, type);
            return call.isEmpty() ? Optional.empty() : Optional.of(redirected(classFile, pool, call.get()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private byte[] redirected(byte[] classFile, Pool pool, int call) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.write(classFile, 0, POOL);
        out.writeShort(pool.count + 2);
        out.write(classFile, POOL + 2, call - POOL - 2);
        out.writeShort(pool.count + 1);
        out.write(classFile, call + 2, pool.end - call - 2);
        out.writeByte(UTF8);
        out.writeUTF(target);
        out.writeByte(CLASS);
        out.writeShort(pool.count);
        out.write(classFile, pool.end, classFile.length - pool.end);
        return bytes.toByteArray();
    }

    /** The constant pool of a class file, as far as it names methods. */
    static final class Pool {

        private final Map<Integer, String> textByIndex = new HashMap<>();
        private final Map<Integer, Integer> nameByClass = new HashMap<>();
        private final Map<Integer, int[]> nameAndTypeByIndex = new HashMap<>();

        /** By where its class stands in the file: the class and the name with its type. */
        private final Map<Integer, int[]> methodByOffset = new HashMap<>();

        private int count;
        private int end;

        static Pool read(byte[] classFile) throws IOException {
            Pool pool = new Pool();
            ByteArrayInputStream bytes = new ByteArrayInputStream(classFile);
            DataInputStream in = new DataInputStream(bytes);
            in.skipNBytes(POOL);
            pool.count = in.readUnsignedShort();
            for (int index = 1; index < pool.count; index++) {
                int tag = in.readUnsignedByte();
                switch (tag) {
                    case UTF8 -> pool.textByIndex.put(index, in.readUTF());
                    case CLASS -> pool.nameByClass.put(index, in.readUnsignedShort());
                    case NAME_AND_TYPE ->
                        pool.nameAndTypeByIndex.put(index, new int[] {in.readUnsignedShort(), in.readUnsignedShort()});
                    case METHOD ->
                        pool.methodByOffset.put(
                                classFile.length - bytes.available(),
                                new int[] {in.readUnsignedShort(), in.readUnsignedShort()});
                    // Integer, float, fields, methods of interfaces, dynamic ones: two halves of four bytes.
                    case 3, 4, 9, 11, 17, 18 -> in.skipNBytes(4);
                    // String, method type, module, package.
                    case 8, 16, 19, 20 -> in.skipNBytes(2);
                    // Method handle.
                    case 15 -> in.skipNBytes(3);
                    // Long and double take two places in the pool.
                    case 5, 6 -> {
                        in.skipNBytes(8);
                        index++;
                    }
                    default -> throw new IOException("Constant " + index + " is of an unknown kind: " + tag);
                }
            }
            pool.end = classFile.length - bytes.available();
            return pool;
        }

        /** Where in the file the class of that method stands; empty if it is not called. */
        Optional<Integer> method(String owner, String method, String type) {
            return methodByOffset.entrySet().stream()
                    .filter(entry -> owner.equals(textByIndex.get(nameByClass.get(entry.getValue()[0]))))
                    .filter(entry -> {
                        int[] nameAndType = nameAndTypeByIndex.get(entry.getValue()[1]);
                        return nameAndType != null
                                && method.equals(textByIndex.get(nameAndType[0]))
                                && type.equals(textByIndex.get(nameAndType[1]));
                    })
                    .map(Map.Entry::getKey)
                    .findFirst();
        }
    }
}
