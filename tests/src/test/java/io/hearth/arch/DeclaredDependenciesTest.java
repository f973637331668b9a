// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.arch;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.ArchConfiguration;
import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.net.URL;
import java.nio.file.Path;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/**
 * A library whose classes a module uses is declared in the module's own pom. One that only comes with another library would go, or change
 * its version, with that one. What HBase and Hadoop show in their own interfaces goes by their versions: their modules, Hadoop's own
 * guava, slf4j, log4j, the servlets and protobuf.
 */
class DeclaredDependenciesTest {

    /** A jar in a local repository: the last folder of its group, its artifact, its version. The JDK and this build have none. */
    private static final Pattern JAR = Pattern.compile(".*/([^/]+)/([^/]+)/[^/]+/[^/]+[.]jar!/.*");

    private static final Set<String> OF_HBASE_AND_HADOOP =
            Set.of("hadoop-shaded-guava", "slf4j-api", "reload4j", "javax.servlet-api", "protobuf-java");

    @ParameterizedTest
    @ValueSource(strings = {"common", "balancer", "coprocessor", "datanode", "cli", "testkit", "bench"})
    void whatAModuleUsesItDeclares(String module) throws Exception {
        Path folder = Path.of("..", module);

        assertThat(undeclared(folder.resolve("target/classes"), declared(folder.resolve("pom.xml"))))
                .isEmpty();
    }

    /** This test itself, as a module that declares one library too few: in the others nothing would be noticed either. */
    @Test
    void aLibraryThatIsNotDeclaredIsNoticed() throws Exception {
        Path own =
                Path.of(getClass().getResource("DeclaredDependenciesTest.class").toURI());
        Set<String> declared = declared(Path.of("pom.xml"));
        declared.addAll(Set.of("junit-jupiter-api", "junit-jupiter-params"));
        assertThat(undeclared(own, declared)).isEmpty();

        declared.remove("archunit");

        assertThat(undeclared(own, declared)).containsExactly("archunit");
    }

    private static Set<String> undeclared(Path classes, Set<String> declared) throws IOException {
        Set<String> undeclared = new TreeSet<>();
        for (String type : foreignTypes(classes)) {
            List<URL> places = places(type);
            assertThat(places).as("where %s is", type).isNotEmpty();
            List<Matcher> jars = places.stream()
                    .map(place -> JAR.matcher(place.toString()))
                    .filter(jar -> jar.matches() && !jar.group().contains("/target/"))
                    .toList();
            if (!jars.isEmpty() && jars.stream().noneMatch(jar -> isDeclared(jar, declared))) {
                undeclared.add(jars.get(0).group(2));
            }
        }
        return undeclared;
    }

    private static boolean isDeclared(Matcher jar, Set<String> declared) {
        return declared.contains(jar.group(2))
                || OF_HBASE_AND_HADOOP.contains(jar.group(2))
                || jar.group(1).equals("hbase")
                || jar.group(1).equals("hadoop");
    }

    private static Set<String> foreignTypes(Path classes) {
        Set<String> types = new TreeSet<>();
        for (JavaClass own : withoutWhatTheyUse(classes)) {
            for (Dependency dependency : own.getDirectDependenciesFromSelf()) {
                JavaClass type = dependency.getTargetClass().getBaseComponentType();
                if (!type.isPrimitive() && !type.getName().startsWith("java.")) {
                    types.add(type.getName());
                }
            }
        }
        assertThat(types).as("types that %s uses", classes).isNotEmpty();
        return types;
    }

    /** The names of what they use are enough: to read those classes too takes twice the time. */
    private static JavaClasses withoutWhatTheyUse(Path classes) {
        return ArchConfiguration.withThreadLocalScope(configuration -> {
            configuration.setResolveMissingDependenciesFromClassPath(false);
            return new ClassFileImporter().importPath(classes);
        });
    }

    /** The files of this class: some libraries carry copies of another's. */
    private static List<URL> places(String type) throws IOException {
        return Collections.list(
                DeclaredDependenciesTest.class.getClassLoader().getResources(type.replace('.', '/') + ".class"));
    }

    /** What a pom names outside of its profiles. */
    private static Set<String> declared(Path pom) throws Exception {
        Element project = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(pom.toFile())
                .getDocumentElement();
        NodeList artifacts = project.getElementsByTagName("artifactId");
        Set<String> declared = new HashSet<>();
        for (int number = 0; number < artifacts.getLength(); number++) {
            var dependencies = artifacts.item(number).getParentNode().getParentNode();
            if (dependencies.getNodeName().equals("dependencies") && dependencies.getParentNode() == project) {
                declared.add(artifacts.item(number).getTextContent());
            }
        }
        return declared;
    }
}
