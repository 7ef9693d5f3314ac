/**
 * The engine in this page, whose module is asked for before the rest of the page is there; which one that is
 * depends on whether memory can be shared here. Not where another engine was asked for.
 */
import { LocalEngine } from './engine.js';

export const onMachine = new URLSearchParams(location.search).get('engine') === 'machine';
export const localEngine = new LocalEngine();
// Whoever opens a scene hears what is wrong.
if (!onMachine) localEngine.start().catch(() => {});
