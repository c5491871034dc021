'use strict';
(() => {
  const root = document.documentElement;
  const table = document.getElementById('pairs');
  const form = document.querySelector('form');
  const search = document.getElementById('search');
  const count = document.getElementById('count');
  const UNITS = { s: 1e9, ms: 1e6, us: 1e3, ns: 1 };
  // A table of latencies has no column for a baseline.
  const isAlone = table.classList.contains('alone');
  const nanoseconds = (text) => parseFloat(text) * UNITS[text.split(' ')[1]] || Infinity;
  const pairs = [...table.tBodies].map((body, index) => ({
    body,
    index,
    link: body.querySelector('th a'),
    detail: body.querySelector('.d'),
    name: body.querySelector('th a').textContent,
    verdict: body.rows[0].cells[6]?.textContent,
    baseline: nanoseconds(body.rows[0].cells[1].textContent),
    candidate: nanoseconds(body.rows[0].cells[isAlone ? 1 : 2].textContent),
  }));
  const ofBody = new Map(pairs.map((pair) => [pair.body, pair]));
  let shown = pairs;
  // Where the pointer is, in the numbers of a plot.
  const tip = document.createElement('div');
  tip.className = 'tip';
  tip.setAttribute('aria-hidden', true);
  root.classList.add('js');
  form.hidden = false;

  // A style that lays rows out otherwise takes their meaning from them, so it is told.
  table.setAttribute('role', 'table');
  const told = {
    thead: 'rowgroup', tbody: 'rowgroup', tr: 'row', td: 'cell', 'thead th': 'columnheader', 'tbody th': 'rowheader',
  };
  for (const [what, role] of Object.entries(told)) {
    table.querySelectorAll(what).forEach((node) => node.setAttribute('role', role));
  }

  // A plot is named by the words above it.
  const name = (figure) => {
    const plot = figure.querySelector('svg');
    plot.setAttribute('role', 'img');
    const words = [...figure.childNodes].filter((node) => node !== plot && node !== tip);
    plot.setAttribute('aria-label', words.map((node) => node.textContent).join(''));
  };
  // The command that repeats a pair.
  const copiable = (code) => {
    if (code.nextElementSibling?.localName === 'button') return;
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = 'copy';
    button.addEventListener('click', () => {
      // Browsers refuse the newer way to pages that come by plain HTTP.
      getSelection().selectAllChildren(code);
      button.textContent = document.execCommand('copy') ? 'copied' : 'selected';
    });
    code.after(' ', button);
  };
  const open = (pair, isOpen) => {
    if (isOpen) {
      pair.detail.querySelectorAll('figure').forEach(name);
      pair.detail.querySelectorAll('code').forEach(copiable);
    }
    pair.detail.classList.toggle('open', isOpen);
    pair.link.setAttribute('aria-expanded', isOpen);
  };
  for (const pair of pairs) {
    pair.link.setAttribute('aria-controls', pair.detail.id);
    open(pair, pair.detail.classList.contains('open'));
    pair.link.addEventListener('click', (event) => {
      if (event.metaKey || event.ctrlKey || event.shiftKey) return;
      event.preventDefault();
      const isOpen = !pair.detail.classList.contains('open');
      open(pair, isOpen);
      history.replaceState(null, '', isOpen ? pair.link.getAttribute('href') : '#');
    });
  }
  const followHash = () => {
    let wanted = location.hash.slice(1);
    try { wanted = decodeURIComponent(wanted); } catch { /* It is no pair. */ }
    const pair = pairs.find((each) => each.detail.id === wanted);
    if (!pair) return;
    if (pair.body.hidden) clear();
    open(pair, true);
    pair.body.scrollIntoView({ block: 'start' });
    pair.link.focus({ preventScroll: true });
  };

  const buttons = [...form.querySelectorAll('[data-outcome]')];
  const filter = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const pressed = buttons.filter((button) => button.getAttribute('aria-pressed') === 'true');
    const left = new Set(pressed.map((button) => button.dataset.outcome));
    for (const { body, name } of pairs) {
      body.hidden = !left.has(body.className) || !words.every((word) => name.toLowerCase().includes(word));
    }
    shown = [...table.tBodies].filter((body) => !body.hidden).map((body) => ofBody.get(body));
    count.textContent = shown.length === pairs.length ? '' : `${shown.length} of ${pairs.length} shown`;
  };
  const clear = () => {
    search.value = '';
    buttons.forEach((button) => button.setAttribute('aria-pressed', true));
    filter();
  };
  search.addEventListener('input', filter);
  form.addEventListener('submit', (event) => event.preventDefault());
  for (const button of buttons) {
    button.addEventListener('click', () => {
      button.setAttribute('aria-pressed', button.getAttribute('aria-pressed') !== 'true');
      filter();
    });
  }

  const heads = [...table.tHead.querySelectorAll('[data-key]')];
  const order = (key) => (pair) => (key in pair ? pair[key] : Number(pair.body.dataset[key] ?? Infinity));
  const sort = (head) => {
    // Up, down, and as it was.
    const next = { none: 'ascending', ascending: 'descending', descending: 'none' }[head.getAttribute('aria-sort')];
    heads.forEach((each) => each.setAttribute('aria-sort', each === head ? next : 'none'));
    const of = next === 'none' ? (pair) => pair.index : order(head.dataset.key);
    const sign = next === 'descending' ? -1 : 1;
    const byText = (a, b) => a.localeCompare(b, 'en', { numeric: true });
    const compare = (a, b) => (typeof a === 'string' ? byText(a, b) : a < b ? -1 : +(a > b));
    const sorted = [...pairs].sort((a, b) => sign * compare(of(a), of(b)) || a.index - b.index);
    table.append(...sorted.map((pair) => pair.body));
    filter();
  };
  for (const head of heads) {
    const button = document.createElement('button');
    button.type = 'button';
    button.append(...head.childNodes);
    head.append(button);
    head.setAttribute('aria-sort', 'none');
    button.addEventListener('click', () => sort(head));
  }

  const step = (by) => {
    const at = shown.findIndex((pair) => pair.body.contains(document.activeElement));
    const next = shown[at < 0 ? 0 : Math.min(Math.max(at + by, 0), shown.length - 1)];
    next?.link.focus();
    next?.body.scrollIntoView({ block: 'nearest' });
  };
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const isTyping = event.target === search;
    const isPair = event.target.closest?.('tbody');
    if (event.key === 'Escape') clear();
    else if (event.key === 'Enter' && isTyping) step(0);
    else if (isTyping && event.key !== 'ArrowDown') return;
    else if (event.key === '/') search.focus();
    else if (event.key === 'j' || (event.key === 'ArrowDown' && (isPair || isTyping))) step(1);
    else if (event.key === 'k' || (event.key === 'ArrowUp' && isPair)) step(-1);
    else return;
    event.preventDefault();
  });

  const change = (ln) => `${ln > 0 ? '+' : ''}${(Math.expm1(ln) * 100).toFixed(2)} %`;
  const latency = (ln) => {
    const [unit, size] = Object.entries(UNITS).find(([, least]) => Math.exp(ln) >= least) ?? ['ns', 1];
    return `${(Math.exp(ln) / size).toPrecision(4)} ${unit}`;
  };
  const contrast = (number, ln) => `${Math.round(number)}: ${change(ln)}`;
  const says = {
    Latency: (x, y) => `${(y * 100).toFixed(0)} % at most ${latency(x)}`,
  };
  table.addEventListener('pointermove', (event) => {
    const plot = event.target.closest('[data-r]');
    if (!plot) return tip.remove();
    const box = plot.getBoundingClientRect();
    const x = ((event.clientX - box.left) / box.width) * 360;
    const y = ((event.clientY - box.top) / box.height) * 180;
    if (x < 52 || x > 352 || y < 8 || y > 156) return tip.remove();
    const [left, right, bottom, top] = plot.dataset.r.split(',').map(Number);
    const at = [left + ((x - 52) / 300) * (right - left), bottom + ((156 - y) / 148) * (top - bottom)];
    const say = says[plot.parentNode.firstChild.textContent] ?? contrast;
    tip.textContent = say(...at);
    plot.parentNode.append(tip);
  });
  addEventListener('hashchange', followHash);
  filter();
  followHash();
  // The browser goes to the target of the link after that, and takes the focus with it.
  addEventListener('load', () => setTimeout(followHash));
})();
