import { plural } from './plural.js';

const texts = {
  en: {
    heading: 'Build caches',
    caches: { one: '{n} cache', other: '{n} caches' },
    total: 'Total: {size}',
  },
  pl: {
    heading: 'Pamięci podręczne kompilacji',
    caches: { one: '{n} pamięć podręczna', few: '{n} pamięci podręczne', many: '{n} pamięci podręcznych', other: '{n} pamięci podręcznych' },
    total: 'Razem: {size}',
  },
  zh: {
    heading: '构建缓存',
    caches: { other: '{n} 个缓存' },
    total: '共计：{size}',
  },
};

export const languages = Object.keys(texts);

/** The text of a message in a language; `{name}` places are filled from `values`. */
export function message(lang, key, values = {}) {
  const set = texts[lang];
  if (set === undefined) throw new Error(`no texts for language ${lang}; one of ${languages.join(', ')}`);
  const entry = set[key];
  const pattern = typeof entry === 'string' ? entry : plural(entry, values.n, lang);
  return pattern.replace(/\{(\w+)\}/g, (_, name) => String(values[name]));
}
