class Solution {
    private String text;
    private int position;

    public long evaluate(String expression) {
        text = expression.replace(" ", "");
        position = 0;
        return terms();
    }

    private char peek() {
        return position < text.length() ? text.charAt(position) : ' ';
    }

    private long terms() {
        long value = product();
        while (peek() == '+' || peek() == '-') {
            boolean plus = text.charAt(position++) == '+';
            long next = product();
            value = plus ? value + next : value - next;
        }
        return value;
    }

    private long product() {
        long value = factor();
        while (peek() == '*') {
            position++;
            value *= factor();
        }
        return value;
    }

    private long factor() {
        if (peek() == '(') {
            position++;
            long value = terms();
            position++;
            return value;
        }
        int start = position;
        while (Character.isDigit(peek())) {
            position++;
        }
        return Long.parseLong(text.substring(start, position));
    }
}
