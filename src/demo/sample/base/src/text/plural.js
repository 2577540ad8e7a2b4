/** The form of a word that a number asks for. */
export function plural(forms, n, lang) {
  if (lang === 'zh') return forms.other;
  return n === 1 ? forms.one : forms.other;
}
