// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.sim.scenario;

import io.hearth.sim.scenario.Scenario.TimeInterval;
import io.hearth.sim.scenario.ScenarioReader.ScenarioFormatException;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;

/**
 * One mapping of a YAML file, read key by key. Every answer is checked, and {@link #end} finds the keys that nobody asked for;
 * each problem names the file, the line, the key and what is allowed. Not thread-safe; used once.
 */
final class YamlMapping {

    private static final Pattern COUNT = Pattern.compile("(\\d{1,9})");
    private static final Pattern DECIMAL = Pattern.compile("(\\d+(?:\\.\\d+)?)");
    private static final Pattern PERCENT = Pattern.compile("(100|\\d{1,2}(?:\\.\\d+)?) ?%");
    private static final Pattern RATE = Pattern.compile("(\\d+(?:\\.\\d+)?)/s");
    private static final Pattern SIZE = Pattern.compile("(\\d{1,9}) ?(MB|GB)");
    private static final Pattern TIME = Pattern.compile(ScenarioDurations.PATTERN);

    private final String file;
    private final int line;
    private final Map<String, Node> valueByKey = new LinkedHashMap<>();
    private final Map<String, Integer> lineByKey = new LinkedHashMap<>();
    private final Set<String> asked = new LinkedHashSet<>();

    /** The mapping that a whole file is. */
    static YamlMapping of(String file, String text) throws ScenarioFormatException {
        try {
            Node root = new Yaml(new LoaderOptions()).compose(new StringReader(text));
            if (root == null) {
                throw new ScenarioFormatException(file, 1, "the file is empty");
            }
            return new YamlMapping(file, "the file", root);
        } catch (MarkedYAMLException wrong) {
            throw new ScenarioFormatException(
                    file, wrong.getProblemMark().getLine() + 1, "this is not YAML: " + wrong.getProblem());
        } catch (YAMLException wrong) {
            throw new ScenarioFormatException(
                    file,
                    1,
                    "this is not YAML: "
                            + String.valueOf(wrong.getMessage())
                                    .lines()
                                    .findFirst()
                                    .orElse(""));
        }
    }

    private YamlMapping(String file, String name, Node node) throws ScenarioFormatException {
        this.file = file;
        line = lineOf(node);
        if (!(node instanceof MappingNode mapping)) {
            throw problem(line, name + " must be a mapping of keys to values");
        }
        for (NodeTuple tuple : mapping.getValue()) {
            int at = lineOf(tuple.getKeyNode());
            if (!(tuple.getKeyNode() instanceof ScalarNode key)) {
                throw problem(at, "a key must be a plain text");
            }
            if (valueByKey.put(key.getValue(), tuple.getValueNode()) != null) {
                throw problem(at, "\"" + key.getValue() + "\" stands there twice");
            }
            lineByKey.put(key.getValue(), at);
        }
    }

    private static int lineOf(Node node) {
        return node.getStartMark().getLine() + 1;
    }

    private ScenarioFormatException problem(int at, String message) {
        return new ScenarioFormatException(file, at, message);
    }

    boolean has(String key) {
        asked.add(key);
        return valueByKey.containsKey(key);
    }

    /** The one of these keys that is there. */
    String oneOf(List<String> keys) throws ScenarioFormatException {
        asked.addAll(keys);
        List<String> there = keys.stream().filter(valueByKey::containsKey).toList();
        require(
                there.size() == 1,
                there.isEmpty()
                        ? "one of these keys must be there: " + String.join(", ", keys)
                        : "only one of these keys can be there: " + String.join(", ", there));
        return there.get(0);
    }

    /** What is wrong in this mapping. */
    ScenarioFormatException problem(String message) {
        return problem(line, message);
    }

    void require(boolean holds, String otherwise) throws ScenarioFormatException {
        if (!holds) {
            throw problem(otherwise);
        }
    }

    /** Must be called last: a key that nobody has asked for is a mistake. */
    void end() throws ScenarioFormatException {
        for (Map.Entry<String, Integer> key : lineByKey.entrySet()) {
            if (!asked.contains(key.getKey())) {
                throw problem(
                        key.getValue(),
                        "there is no key \"" + key.getKey() + "\" here; allowed are " + String.join(", ", asked));
            }
        }
    }

    private Node need(String key, String form) throws ScenarioFormatException {
        asked.add(key);
        Node value = valueByKey.get(key);
        if (value == null) {
            throw problem("\"" + key + "\" is missing; it is " + form);
        }
        return value;
    }

    private Matcher scalar(String key, Pattern pattern, String form) throws ScenarioFormatException {
        Node node = need(key, form);
        String value = node instanceof ScalarNode scalar ? scalar.getValue() : "";
        Matcher matcher = pattern.matcher(value);
        if (!matcher.matches()) {
            String got = node instanceof ScalarNode ? "\"" + value + "\"" : "a list or mapping";
            throw problem(lineOf(node), key + " is " + got + "; it must be " + form);
        }
        return matcher;
    }

    String text(String key, String form) throws ScenarioFormatException {
        return scalar(key, Pattern.compile("(?s).+"), form).group();
    }

    /** One of these words. */
    String word(String key, String... allowed) throws ScenarioFormatException {
        String any = "("
                + String.join("|", List.of(allowed).stream().map(Pattern::quote).toList()) + ")";
        return scalar(key, Pattern.compile(any), "one of: " + String.join(", ", allowed))
                .group();
    }

    boolean isTrue(String key) throws ScenarioFormatException {
        return has(key) && word(key, "true", "false").equals("true");
    }

    int count(String key) throws ScenarioFormatException {
        return Integer.parseInt(scalar(key, COUNT, "a count such as 12").group(1));
    }

    double decimal(String key) throws ScenarioFormatException {
        return Double.parseDouble(scalar(key, DECIMAL, "a number such as 1.10").group(1));
    }

    /** A share, 0 to 1, that stands there in percent. */
    double share(String key) throws ScenarioFormatException {
        return Double.parseDouble(scalar(key, PERCENT, "a share from 0 % to 100 %, such as 20 %")
                        .group(1))
                / 100;
    }

    double perSecond(String key) throws ScenarioFormatException {
        return Double.parseDouble(scalar(key, RATE, "a rate such as 12000/s").group(1));
    }

    long bytes(String key) throws ScenarioFormatException {
        Matcher matcher = scalar(key, SIZE, "a size such as 64 MB or 2 GB");
        return Long.parseLong(matcher.group(1)) << (matcher.group(2).equals("GB") ? 30 : 20);
    }

    long millis(String key) throws ScenarioFormatException {
        return ScenarioDurations.millis(
                scalar(key, TIME, "a time such as 90s, 20min or 2h 30min").group());
    }

    /** A time ahead of now or back from it, below 0 where it is back. */
    long shiftMillis(String key) throws ScenarioFormatException {
        Matcher matcher = scalar(
                key,
                Pattern.compile("(" + ScenarioDurations.PATTERN + ") (ahead|back)"),
                "a time such as 2h ahead or 2h back");
        long millis = ScenarioDurations.millis(matcher.group(1));
        return matcher.group(2).equals("ahead") ? millis : -millis;
    }

    /** From {@code from} to {@code to}; without them from the begin and to the end. */
    TimeInterval interval() throws ScenarioFormatException {
        return new TimeInterval(has("from") ? millis("from") : 0, has("to") ? millis("to") : Long.MAX_VALUE);
    }

    YamlMapping mapping(String key) throws ScenarioFormatException {
        return new YamlMapping(file, key, need(key, "a mapping of keys to values"));
    }

    /** The mappings of a list that has at least one; none where the key is not there. */
    List<YamlMapping> list(String key) throws ScenarioFormatException {
        List<YamlMapping> items = new ArrayList<>();
        if (has(key)) {
            Node node = need(key, "a list");
            if (!(node instanceof SequenceNode sequence) || sequence.getValue().isEmpty()) {
                throw problem(lineOf(node), key + " must be a list with at least one line that begins with \"- \"");
            }
            for (Node item : sequence.getValue()) {
                items.add(new YamlMapping(file, "a line of " + key, item));
            }
        }
        return items;
    }

    /** Every key with its value, whatever the keys are. */
    Map<String, String> all() throws ScenarioFormatException {
        Map<String, String> all = new LinkedHashMap<>();
        for (String key : valueByKey.keySet()) {
            all.put(key, text(key, "a value as in hbase-site.xml"));
        }
        return all;
    }
}
