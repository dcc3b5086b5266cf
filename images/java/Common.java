import java.math.BigInteger;
import java.security.MessageDigest;
import java.util.*;
import java.util.function.*;
import java.util.regex.*;
import java.util.stream.*;

/** Uses what programs commonly use, so that the image's class archive holds it. Never judged. */
public final class Common {
    private record Pair(String name, int value) {}

    public static void main(String[] arguments) throws Exception {
        texts();
        collections();
        streams();
        numbers();
        List<Boolean> correct = Arrays.asList(true, Boolean.valueOf("true"));
        try {
            if (correct.contains(true)) throw new AssertionError("as wanted");
        } catch (AssertionError error) {
            error.printStackTrace(new java.io.PrintWriter(new java.io.StringWriter()));
        }
        try (java.io.FileOutputStream out = new java.io.FileOutputStream("/dev/null")) {
            out.write("token\n".getBytes(java.nio.charset.StandardCharsets.UTF_8));
        }
        System.out.println("common");
        throw new IllegalStateException("the end that programs have when they fail");
    }

    private static void texts() {
        StringBuilder builder = new StringBuilder();
        int count = 3;
        double part = 0.5;
        builder.append("a" + count + "b" + part + 'c' + 1L + true).reverse().insert(0, "x");
        String text = builder.toString();
        String[] words = "one two,three".split("[ ,]+");
        text = String.join("-", words) + text.toUpperCase().replace("A", "b").trim() + text.strip();
        text += String.format("%d %s %.2f %5d %x", count, text, part, count, 255);
        text += text.chars().filter(Character::isLetter).count();
        Matcher matcher = Pattern.compile("(\\w+)\\s*([0-9]?)").matcher(text);
        while (matcher.find()) text.indexOf(matcher.group(1));
        text.replaceAll("\\d", "").matches("[a-z]*");
        new StringJoiner(", ", "[", "]").add("a").toString();
        switch (words[0]) {
            case "one" -> text.charAt(0);
            default -> text.isEmpty();
        }
        text.equals(new StringBuilder(text).reverse().toString());
        for (char c : text.toCharArray()) Character.isDigit(c);
    }

    private static void collections() {
        Map<String, Integer> map = new HashMap<>();
        for (String word : List.of("a", "b", "a")) map.put(word, map.getOrDefault(word, 0) + 1);
        map.merge("a", 1, Integer::sum);
        map.computeIfAbsent("c", key -> 1);
        map.entrySet().removeIf(entry -> entry.getValue() > 5);
        new TreeMap<>(map).firstKey();
        new LinkedHashMap<>(map).forEach((key, value) -> key.length());
        Set<Integer> set = new HashSet<>(Arrays.asList(1, 2, 3));
        new TreeSet<>(set).first();
        new LinkedHashSet<>(set).contains(1);
        set.retainAll(List.of(1, 2));
        List<Integer> list = new ArrayList<>(Arrays.asList(3, 1, 2));
        Collections.sort(list);
        list.sort(Comparator.reverseOrder());
        list.sort((a, b) -> b - a);
        list.sort(Comparator.comparing((Integer a) -> a % 2).thenComparing(a -> a));
        Collections.reverse(list);
        list.subList(0, 2).equals(List.of(1, 2));
        new LinkedList<>(list).addFirst(1);
        Deque<Character> stack = new ArrayDeque<>();
        stack.push('(');
        new Stack<Integer>().push(1);
        PriorityQueue<Integer> queue = new PriorityQueue<>(Collections.reverseOrder());
        queue.addAll(list);
        queue.poll();
        int[] numbers = {3, 1, 2};
        Arrays.sort(numbers);
        Arrays.toString(Arrays.copyOf(numbers, 5));
        Arrays.fill(numbers, 1);
        Integer[] boxed = {3, 1};
        Arrays.sort(boxed, Collections.reverseOrder());
        Arrays.deepToString(new int[][] {numbers});
        Objects.equals(List.of(), Collections.emptyList());
        Optional.of(1).map(a -> a + 1).orElse(0);
        new Pair("a", 1).equals(new Pair("b", 2));
        new Pair("a", 1).toString();
        new Random(1).nextInt(5);
        Iterator<Integer> iterator = list.iterator();
        while (iterator.hasNext()) if (iterator.next() > 1) iterator.remove();
    }

    private static void streams() {
        List<Integer> list = List.of(5, 3, 8);
        Function<Integer, Integer> twice = a -> 2 * a;
        BiFunction<Integer, Integer, Integer> sum = (a, b) -> a + b;
        Supplier<String> supplier = () -> "s";
        Predicate<Integer> even = a -> a % 2 == 0;
        supplier.get();
        sum.apply(twice.apply(1), 2);
        list.stream().filter(even).map(twice).collect(Collectors.toList());
        list.stream().map(String::valueOf).collect(Collectors.joining(", ", "[", "]"));
        list.stream().mapToInt(Integer::intValue).sum();
        list.stream().mapToDouble(a -> a).average().orElse(0);
        list.stream().reduce(0, Integer::sum);
        list.stream().sorted(Comparator.comparing(a -> -a)).limit(2).distinct().toList();
        list.stream().collect(Collectors.groupingBy(a -> a % 2, Collectors.counting()));
        list.stream().collect(Collectors.toMap(a -> a, a -> "" + a));
        list.stream().max(Comparator.naturalOrder()).get();
        list.stream().anyMatch(even);
        list.stream().allMatch(a -> a > 1 && even.test(a));
        list.forEach(a -> a.hashCode());
        IntStream.rangeClosed(1, 5).boxed().collect(Collectors.toSet());
        IntStream.range(0, 5).mapToObj(i -> "x" + i).skip(1).forEach(supplier.get()::concat);
        IntStream.range(0, 5).filter(i -> i > 2).map(i -> i * i).toArray();
        Arrays.stream(new int[] {1, 2}).max().getAsInt();
        Arrays.stream("a b".split(" ")).map(String::length).collect(Collectors.toCollection(ArrayList::new));
        Stream.iterate(1, i -> i + 1).limit(3).toArray(Integer[]::new);
        "abc".chars().mapToObj(c -> (char) c).collect(Collectors.toList());
        Stream.of("a", "b").flatMap(s -> Stream.of(s, s)).count();
    }

    private static void numbers() throws Exception {
        Math.floorMod(-5, 3);
        Math.sqrt(Math.pow(2, 3) + Math.abs(-1.5) + Math.round(2.5));
        Integer.parseInt("12");
        Integer.toBinaryString(5);
        Double.parseDouble("1.25");
        Double.toString(0.1);
        Long.valueOf(3).equals(3L);
        new BigInteger("123456789").multiply(BigInteger.TEN).mod(BigInteger.TWO).toString();
        new java.math.BigDecimal("1.5").setScale(0, java.math.RoundingMode.HALF_UP);
        MessageDigest.getInstance("MD5").digest("a".getBytes());
        try {
            Object nothing = List.of(1).get(Integer.parseInt("0x"));
        } catch (NumberFormatException error) {
            error.getMessage();
        }
    }
}
