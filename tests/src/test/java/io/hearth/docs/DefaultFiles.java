// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.docs;

import io.hearth.balancer.config.BalancerSettings;
import io.hearth.common.config.Setting;
import io.hearth.datanode.config.DataNodeSettings;
import io.hearth.healer.config.HealingSettings;
import io.hearth.ui.config.UiSettings;
import java.io.IOException;
import java.io.InputStream;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/** What {@code hbase-default.xml}, {@code hdfs-default.xml} and {@code core-default.xml} of the line's jars say. */
public final class DefaultFiles {

    /** Of a key that two of them have, HBase's word counts where it has one. */
    private static final Map<String, String> VALUE_BY_KEY = read();

    private DefaultFiles() {}

    private static Map<String, String> read() {
        Map<String, String> values = new TreeMap<>();
        for (String file : new String[] {"core-default.xml", "hdfs-default.xml", "hbase-default.xml"}) {
            try (InputStream in = DefaultFiles.class.getResourceAsStream("/" + file)) {
                properties(in)
                        .forEach((key, value) -> values.merge(key, value, (old, late) -> late.isEmpty() ? old : late));
            } catch (IOException | IllegalArgumentException missing) {
                throw new IllegalStateException(file + " is in no jar of the class path", missing);
            }
        }
        return values;
    }

    /** Every property of such a file, those without a value too, which {@code Configuration} leaves out. */
    static Map<String, String> properties(InputStream in) throws IOException {
        return texts(in, "value");
    }

    /** The text of this element of every property, by the property's name; empty where it has none. */
    static Map<String, String> texts(InputStream in, String element) throws IOException {
        try {
            NodeList properties = DocumentBuilderFactory.newInstance()
                    .newDocumentBuilder()
                    .parse(in)
                    .getElementsByTagName("property");
            Map<String, String> texts = new TreeMap<>();
            for (int i = 0; i < properties.getLength(); i++) {
                Element property = (Element) properties.item(i);
                texts.put(text(property, "name"), text(property, element));
            }
            return texts;
        } catch (SAXException | ParserConfigurationException noXml) {
            throw new IOException(noXml);
        }
    }

    private static String text(Element property, String name) {
        NodeList found = property.getElementsByTagName(name);
        return found.getLength() == 0
                ? ""
                : found.item(0).getTextContent().strip().replaceAll("\\s+", " ");
    }

    /** The value of a key that they have, which may be empty. */
    static Optional<String> value(String key) {
        return Optional.ofNullable(VALUE_BY_KEY.get(key));
    }

    /** Whether they or Hearth have this key. */
    public static boolean knows(String key) {
        return VALUE_BY_KEY.containsKey(key) || hearths(key).isPresent();
    }

    /** The default, empty where none is written down. */
    public static String defaultOf(String key) {
        return value(key)
                .or(() -> hearths(key).map(setting -> String.valueOf(setting.defaultValue())))
                .orElse("");
    }

    private static Optional<Setting<?>> hearths(String key) {
        return Stream.of(BalancerSettings.all(), HealingSettings.ALL, DataNodeSettings.ALL, UiSettings.ALL)
                .<Setting<?>>flatMap(Collection::stream)
                .filter(setting -> setting.key().equals(key))
                .findFirst();
    }
}
