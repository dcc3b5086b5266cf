import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

class Solution {
    public String fillTemplate(String template, Map<String, Long> values) {
        Matcher names = Pattern.compile("\\{([^}]*)\\}").matcher(template);
        return names.replaceAll(name -> {
            Long value = values.get(name.group(1));
            return Matcher.quoteReplacement(value == null ? name.group() : value.toString());
        });
    }
}
