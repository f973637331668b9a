// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.arch;

import com.tngtech.archunit.ArchConfiguration;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What the class files of a module call to reach beyond their own JVM's memory: RPCs of HBase and HDFS, files, sockets, processes, and
 * what is called by reflection, whose target can't be seen. Immutable.
 *
 * @param calls sorted
 */
record ClusterCalls(Set<Call> calls) {

    /** A call of the method {@code Type.method} by a class. Ordered by its text. */
    record Call(String method, String caller) implements Comparable<Call> {
        @Override
        public int compareTo(Call other) {
            return (method + " " + caller).compareTo(other.method + " " + other.caller);
        }
    }

    /**
     * Types through which one reaches out.
     *
     * @param owner their full names
     * @param harmless their methods that ask and change nothing
     */
    private record Door(Pattern owner, Pattern harmless) {

        static Door of(String owner, String harmless) {
            return new Door(Pattern.compile(owner), Pattern.compile(harmless));
        }

        static Door only(String owner, String methods) {
            return of(owner, "(?!(?:" + methods + ")$).*");
        }

        boolean isOpenedBy(String type, String method) {
            return owner.matcher(type).matches() && !harmless.matcher(method).matches();
        }
    }

    private static final String HBASE = "org\\.apache\\.hadoop\\.hbase\\.";
    private static final String HADOOP = "org\\.apache\\.hadoop\\.";

    private static final List<Door> DOORS = List.of(
            Door.of(
                    HBASE + "(?:client\\.\\w*(?:Admin|Table|Locator|Hbck)|ipc\\.\\w*RpcChannel)",
                    "close|getName|getConfiguration|clearRegionLocationCache"),
            Door.of(
                    HBASE
                            + "(?:master\\.(?!balancer\\.)(?:\\w+\\.)*(?:HMaster|MasterServices|MasterRpcServices|RegionStates|\\w+Manager"
                            + "|MasterFileSystem)|TableDescriptors|security\\.access\\.AccessChecker)",
                    "<init>|(?:get|is)(?:[A-Z]\\w*)?"),
            Door.of(
                    HBASE + "(?:regionserver\\.HRegion\\w*|io\\.hfile\\.HFile|util\\.(?:FSUtils|HBaseFsck))",
                    "is[A-Z]\\w*"),
            Door.of(
                    HADOOP
                            + "(?:hdfs\\.(?:DFSClient|\\w*FileSystem|client\\.HdfsAdmin|(?:server\\.)?protocol\\.\\w*Protocol"
                            + "|protocol\\.datatransfer\\.Sender)|fs\\.(?:\\w*FileSystem|FileContext|FileUtil))",
                    "<init>|close|get|getUri|getConf|getClient|getClientName|getNamenode|getSaslDataTransferClient|getEncryptionKey"
                            + "|clearDataEncryptionKey|makeQualified|getRawFileSystem|newInstance"),
            Door.of(
                    "java\\.nio\\.file\\.Files",
                    "exists|notExists|size|list|lines|walk\\w*|(?:is|get|read)[A-Z]\\w*|new(?:BufferedReader|InputStream|DirectoryStream)"),
            Door.only("java\\.nio\\.channels\\.(?:\\w*FileChannel|\\w*SocketChannel|DatagramChannel)", "open"),
            Door.only("java\\.io\\.(?:FileOutputStream|FileWriter|RandomAccessFile)", "<init>"),
            Door.only("java\\.io\\.File", "delete\\w*|mkdirs?|renameTo|create\\w+|set\\w+"),
            Door.only("java\\.net\\.(?:Socket|ServerSocket|DatagramSocket)", "<init>"),
            Door.only(HADOOP + "net\\.NetUtils", "connect"),
            Door.only("java\\.net\\.http\\.HttpClient", "send\\w*"),
            Door.only("java\\.net\\.URL", "open\\w+"),
            Door.only("com\\.sun\\.net\\.httpserver\\.Https?Server", "create"),
            Door.only("java\\.lang\\.(?:ProcessBuilder|Runtime|System)", "start|exec|halt|exit|load\\w*"),
            Door.only(
                    "java\\.lang\\.(?:reflect\\.(?:Method|Constructor)|invoke\\.MethodHandle)",
                    "invoke\\w*|newInstance"));

    /** Of the class files in this folder and below it. The names of what they use are enough: to read those classes too takes twice the time. */
    static ClusterCalls of(Path folder) {
        JavaClasses classes = ArchConfiguration.withThreadLocalScope(configuration -> {
            configuration.setResolveMissingDependenciesFromClassPath(false);
            return new ClassFileImporter().importPath(folder);
        });
        Set<Call> calls = new TreeSet<>();
        for (JavaClass type : classes) {
            Stream.of(
                            type.getMethodCallsFromSelf(),
                            type.getConstructorCallsFromSelf(),
                            type.getMethodReferencesFromSelf(),
                            type.getConstructorReferencesFromSelf())
                    .flatMap(Set::stream)
                    .filter(ClusterCalls::reachesOut)
                    .forEach(call -> calls.add(new Call(name(call), topLevel(type))));
        }
        return new ClusterCalls(calls);
    }

    private static boolean reachesOut(JavaAccess<?> call) {
        String owner = call.getTargetOwner().getName();
        return DOORS.stream().anyMatch(door -> door.isOpenedBy(owner, call.getName()));
    }

    private static String name(JavaAccess<?> call) {
        String owner = call.getTargetOwner().getName();
        return owner.substring(owner.lastIndexOf('.') + 1) + "." + call.getName();
    }

    private static String topLevel(JavaClass type) {
        String name = type.getName().substring(type.getPackageName().length() + 1);
        return name.contains("$") ? name.substring(0, name.indexOf('$')) : name;
    }
}
